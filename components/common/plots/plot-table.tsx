import type { PlotProps } from "./plot";

type PlotTableProps = Pick<PlotProps, "categories" | "categoryLabel" | "series" | "format"> & { caption: string };

/** The numbers of a plot, for screen readers. */
export function PlotTable({ caption, categories, categoryLabel, series, format }: PlotTableProps) {
  return (
    // Around the table, because the height of a table is never less than that of its rows.
    <div className="sr-only">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{categoryLabel}</th>
            {series.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {categories.map(({ key, label, longLabel }, index) => (
            <tr key={key}>
              <th scope="row">{longLabel ?? label}</th>
              {series.map((one) => (
                <td key={one.key}>{format(one.values[index] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
