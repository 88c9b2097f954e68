// "Write to" and the contact address of the academy, where one is configured.
import { useSettings } from '../platform/api/query.ts';

export function WriteToUs() {
  const { contact } = useSettings();
  if (!contact) return 'Write to the academy.';
  return (
    <>
      Write to{' '}
      <a href={`mailto:${contact}`} className="underline underline-offset-4 wrap-anywhere">
        {contact}
      </a>
      .
    </>
  );
}
