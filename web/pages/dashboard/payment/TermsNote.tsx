// Below Pay: the terms of the academy, once they are written, and what its class page says of money
// back. In a tab of their own, so that the payment goes on.
import { Link } from 'react-router';
import { useSettings } from '../../../api/query.ts';
import { paths } from '../../../paths.ts';

const link = (words: string, to: string) => (
  <Link to={to} target="_blank" className="link">
    {words}
  </Link>
);

export function TermsNote({ classId }: { classId?: string }) {
  const terms = useSettings().pages.includes('terms') && link('Terms', paths.page('terms'));
  return (
    <p className="muted text-sm empty:hidden">
      {terms}
      {terms && classId && ' · '}
      {classId && link('Cancelling', `${paths.class(classId)}#good-to-know`)}
    </p>
  );
}
