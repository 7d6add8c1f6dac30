/** The rails descend by 0.36 for each unit to the right. */
const SLOPE = 0.36;
const SLOPE_DEGREES = (Math.atan(SLOPE) * 180) / Math.PI;

const railAt = (x: number) => 262 + x * SLOPE;

const SLEEPERS = Array.from({ length: 17 }, (_, index) => -8 + index * 42);

const WAVES = [
  { y: 532, shift: 0, opacity: 0.55 },
  { y: 556, shift: 30, opacity: 0.42 },
  { y: 580, shift: 8, opacity: 0.3 },
  { y: 604, shift: 42, opacity: 0.2 },
  { y: 628, shift: 18, opacity: 0.12 },
];

/** A decorative picture of a release on a slipway, in the colors of the theme. */
export function LaunchScene({ className }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 640 640" preserveAspectRatio="xMidYMax slice" fill="none" className={className}>
      <defs>
        <pattern id="launch-dots" width="24" height="24" patternUnits="userSpaceOnUse">
          <circle cx="12" cy="12" r="1" fill="var(--input)" fillOpacity="0.45" />
        </pattern>
        <linearGradient id="launch-fade" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#000" />
          <stop offset="0.45" stopColor="#fff" />
        </linearGradient>
        <mask id="launch-mask">
          <rect width="640" height="640" fill="url(#launch-fade)" />
        </mask>
        <linearGradient id="launch-water" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="var(--primary)" stopOpacity="0.16" />
          <stop offset="1" stopColor="var(--primary)" stopOpacity="0.04" />
        </linearGradient>
      </defs>

      <rect width="640" height="640" fill="url(#launch-dots)" mask="url(#launch-mask)" />

      <path
        d={`M-20 ${railAt(-20)} 680 ${railAt(680)}v26L-20 ${railAt(-20) + 26}z`}
        fill="var(--card)"
        stroke="var(--input)"
        strokeOpacity="0.7"
        strokeWidth="1.5"
      />
      {SLEEPERS.map((x) => (
        <path key={x} d={`M${x} ${railAt(x) + 7}v12`} stroke="var(--input)" strokeOpacity="0.7" strokeWidth="1.5" />
      ))}

      <Phone x={84} version="2.3.9" build="116" opacity={0.55} />
      <Phone x={258} version="2.4.0" build="117" opacity={0.8} />
      <Phone x={438} version="2.4.1" build="118" opacity={1} current />

      <path d={`${wave(532, 0)}V660H-80z`} fill="url(#launch-water)" />
      {WAVES.map(({ y, shift, opacity }) => (
        <path key={y} d={wave(y, shift)} stroke="var(--primary)" strokeOpacity={opacity} strokeWidth="1.5" />
      ))}
    </svg>
  );
}

function wave(y: number, shift: number): string {
  return `M${-80 - shift} ${y}${"q22 -11 44 0t44 0".repeat(9)}`;
}

type PhoneProps = { x: number; version: string; build: string; opacity: number; current?: boolean };

/** A phone on the rails at `x`. */
function Phone({ x, version, build, opacity, current = false }: PhoneProps) {
  const accent = current ? "var(--primary)" : "var(--input)";
  return (
    <g transform={`translate(${x} ${railAt(x) - 1}) rotate(${SLOPE_DEGREES})`} opacity={opacity}>
      <rect x="-46" y="-172" width="92" height="172" rx="17" fill="var(--card)" stroke={accent} strokeWidth="2" />
      <rect x="-13" y="-163" width="26" height="5" rx="2.5" fill={accent} />
      <g transform="translate(-22 -128)">
        <rect width="44" height="44" rx="11" fill={current ? "var(--primary)" : "var(--accent)"} />
        <path
          d="M11.800 21.200 28.700 12.400 32.600 10.400 31 15.800A6.300 6.300 0 0 1 27.900 19.500L17 25.200A2.900 2.900 0 0 1 13.100 23.900z"
          fill={current ? "#fff" : "var(--input)"}
        />
        <path
          d="M9 33.500H35"
          stroke={current ? "#fff" : "var(--input)"}
          strokeOpacity="0.6"
          strokeWidth="3"
          strokeLinecap="round"
        />
      </g>
      <g fontFamily="var(--font-geist-mono)" textAnchor="middle">
        <text y="-58" fontSize="14" fontWeight="600" fill="var(--foreground)">
          {version}
        </text>
        <text y="-42" fontSize="10.5" fill="var(--muted-foreground)">
          ({build})
        </text>
      </g>
      <rect x="-26" y="-26" width="52" height="5" rx="2.5" fill="var(--accent)" />
      <rect x="-26" y="-26" width={current ? 38 : 52} height="5" rx="2.5" fill={accent} />
    </g>
  );
}
