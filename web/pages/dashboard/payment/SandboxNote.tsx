// Says on the payment page of a test shop that no money moves, and which card numbers do what.
// Never shown with real Stripe keys.

const tries = [
  ['4242 4242 4242 4242', 'is accepted'],
  ['4000 0025 0000 3155', 'asks you to confirm with the bank'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0000 0000 9995', 'has insufficient funds'],
  ['4000 0000 0000 0069', 'has expired'],
  ['4000 0000 0000 0127', 'has a wrong security code'],
  ['4000 0000 0000 0119', 'meets a processing error'],
] as const;

export function SandboxNote() {
  return (
    <div className="rounded-box border border-info/50 bg-info/10 p-4 text-sm">
      <p>
        <strong>This is a test shop: no real money moves.</strong> Use{' '}
        <code>4242 4242 4242 4242</code> with any future date and any three digits. Never type a
        real card here.
      </p>
      <details className="mt-2">
        <summary className="w-fit cursor-pointer font-semibold">More numbers to try</summary>
        <ul className="mt-2 flex flex-col gap-1">
          {tries.map(([number, says]) => (
            <li key={number} className="flex flex-wrap gap-x-3">
              <code className="tabular-nums">{number}</code>
              <span className="muted">{says}</span>
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
