// Next to Pay: the terms of the academy, once they are written. In a tab of their own, so that the
// payment goes on.
import { Link } from 'react-router';
import { useSettings } from '../../../api/query.ts';
import { paths } from '../../../paths.ts';

export function TermsNote() {
  const { pages } = useSettings();
  if (!pages.includes('terms')) return null;
  return (
    <p className="muted text-sm">
      Our{' '}
      <Link to={paths.page('terms')} target="_blank" className="link">
        Terms
      </Link>{' '}
      apply.
    </p>
  );
}
