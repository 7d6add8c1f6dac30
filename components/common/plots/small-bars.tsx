/** Pixels. */
const HEIGHT = 24;
const BAR = 5;
const GAP = 2;

/**
 * A plot without axes for a line of text, which says what it shows. A day on which nothing happened has a line.
 *
 * @param values the number for each day
 */
export function SmallBars({ values }: { values: readonly number[] }) {
  const highest = Math.max(1, ...values);
  return (
    <svg aria-hidden width={values.length * (BAR + GAP) - GAP} height={HEIGHT} className="shrink-0">
      {values.map((value, index) => {
        const height = value === 0 ? 1 : Math.max(3, (value / highest) * HEIGHT);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the position is the day
            key={index}
            x={index * (BAR + GAP)}
            y={HEIGHT - height}
            width={BAR}
            height={height}
            rx="1"
            className={value === 0 ? "fill-input" : "fill-primary"}
          />
        );
      })}
    </svg>
  );
}
