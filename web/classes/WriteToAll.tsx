// The dialog in which an admin writes to the families of several classes or of all.
import { useQuery } from '@tanstack/react-query';
import { listClasses } from '../../contract/classes/classes.ts';
import { limits } from '../../contract/platform/limits.ts';
import { query } from '../platform/api/query.ts';
import { WriteDialog } from './WriteDialog.tsx';

export function WriteToAll({ onClose }: { onClose: () => void }) {
  const found = useQuery(
    query(listClasses, { status: 'approved', sort: 'name', limit: limits.pageSize }),
  );
  const classes = found.data?.outQueryResult ?? [];
  // A single class would be the only choice: all is the same.
  return <WriteDialog classes={classes.length === 1 ? [] : classes} onClose={onClose} />;
}
