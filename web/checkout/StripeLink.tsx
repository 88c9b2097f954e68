// The payment on the pages of Stripe. Nothing in the sandbox, which has no such pages.
import { useSettings } from '../platform/api/query.ts';

export function StripeLink({ intentId }: { intentId: string }) {
  const { cards } = useSettings();
  if (cards.sandbox) return null;
  const mode = cards.publishableKey.startsWith('pk_test') ? 'test/' : '';
  return (
    <a
      href={`https://dashboard.stripe.com/${mode}payments/${encodeURIComponent(intentId)}`}
      target="_blank"
      rel="noreferrer"
      className="btn btn-outline btn-sm border-edge font-medium"
      aria-label={`At Stripe: ${intentId}`}
    >
      At Stripe
    </a>
  );
}
