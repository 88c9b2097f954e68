// A row of things of which any number may be ticked, each as large as a thumb.

interface TicksProps<Value extends string | number> {
  legend: string;
  hint?: string;
  options: readonly { value: Value; label: string; note?: string }[];
  ticked: readonly Value[];
  onChange: (ticked: Value[]) => void;
}

export function Ticks<Value extends string | number>({
  legend,
  hint,
  options,
  ticked,
  onChange,
}: TicksProps<Value>) {
  const toggle = (value: Value) =>
    onChange(
      ticked.includes(value) ? ticked.filter((other) => other !== value) : [...ticked, value],
    );
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm font-semibold">
        {legend}
        {hint && <span className="muted font-normal"> · {hint}</span>}
      </legend>
      <div className="flex flex-wrap gap-2">
        {options.map(({ value, label, note }) => (
          <label
            key={value}
            className="border-base-content/25 has-checked:border-primary has-checked:bg-primary/10 rounded-field has-focus-visible:outline-primary flex min-h-11 cursor-pointer items-center gap-2 border px-2.5 has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
          >
            <input
              type="checkbox"
              className="checkbox checkbox-primary checkbox-sm rounded-md"
              checked={ticked.includes(value)}
              onChange={() => toggle(value)}
            />
            <span className="min-w-0 wrap-anywhere">
              {label}
              {note && <span className="muted max-sm:sr-only"> {note}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
