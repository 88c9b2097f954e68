// The code of a coupon, folded until it is asked for. A code counts once the server has priced the
// basket with it.
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { quoteBasket } from '../../../../contract/checkout.ts';
import { query } from '../../../api/query.ts';
import { ApiError, readable } from '../../../api/send.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';

interface CouponFieldProps {
  ids: readonly string[];
  coupon: string | undefined;
  onCoupon: (to: { coupon?: string; seen?: number }) => void;
}

export function CouponField({ ids, coupon, onCoupon }: CouponFieldProps) {
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const apply = async () => {
    const code = typed.replace(/\s+/g, '').toUpperCase();
    if (!code || busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const asked = query(quoteBasket, { items: ids.join(','), coupon: code });
      const { total } = await client.fetchQuery({ ...asked, retry: false, staleTime: 0 });
      setTyped('');
      onCoupon({ coupon: code, seen: total });
    } catch (error) {
      const wrong = error instanceof ApiError && error.status === 400;
      setProblem(wrong ? 'A code has 4 to 24 letters, digits or hyphens.' : readable(error));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void apply();
  };
  if (coupon)
    return (
      <div className="flex items-center justify-between gap-3">
        <p className="min-w-0">
          <span className="muted text-sm">Code </span>
          <span className="figures font-semibold wrap-anywhere">{coupon}</span>
        </p>
        <Button
          look="plain"
          className="min-h-11"
          aria-label={`Remove the code ${coupon}`}
          onClick={() => onCoupon({})}
        >
          Remove
        </Button>
      </div>
    );
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 w-fit cursor-pointer items-center font-medium">
        Have a code?
      </summary>
      {/* Until then the card form is the only form of the page. */}
      {open && (
        <form onSubmit={submit} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <Field
              label="Code"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              error={problem}
              maxLength={60}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              enterKeyHint="done"
              className="min-h-11 uppercase"
            />
          </div>
          <Button type="submit" look="outline" className="mt-6.5 min-h-11" busy={busy}>
            Apply
          </Button>
        </form>
      )}
    </details>
  );
}
