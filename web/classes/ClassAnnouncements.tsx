// The announcements of one class on its dashboard page, and the way to write another.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listAnnouncements } from '../../contract/classes/announcements.ts';
import { query } from '../platform/api/query.ts';
import { Button } from '../platform/ui/Button.tsx';
import { Card } from '../platform/ui/Card.tsx';
import { onDemand } from '../platform/ui/onDemand.tsx';
import { NotYet, Skeleton } from '../platform/ui/States.tsx';
import { AnnouncementList } from './AnnouncementList.tsx';

const WriteDialog = onDemand(() => import('./WriteDialog.tsx').then((m) => m.WriteDialog));

export function ClassAnnouncements({ classId, name }: { classId: string; name: string }) {
  const [writes, setWrites] = useState(false);
  const found = useQuery({
    ...query(listAnnouncements, { classId, limit: 20 }),
    // A network that comes back is not always told to the page.
    refetchInterval: ({ state }) => (state.error?.status === 0 ? 5_000 : false),
  });
  // A substitute does not write for the class, and a phone without a network shows the rest.
  const isHidden = found.error?.code === 'NOT_FOUND' || found.fetchStatus === 'paused';
  if (isHidden && !found.data) return null;
  return (
    <Card
      title="Announcements"
      actions={
        <Button size="small" look="outline" onClick={() => setWrites(true)}>
          Write to families
        </Button>
      }
    >
      <NotYet of={found}>
        <Skeleton className="h-16" />
      </NotYet>
      {found.data?.items.length === 0 && (
        <p className="muted text-sm">Nothing was written to the families of this class yet.</p>
      )}
      {found.data && found.data.items.length > 0 && <AnnouncementList items={found.data.items} />}
      {writes && (
        <WriteDialog classes={[{ _id: classId, name }]} onClose={() => setWrites(false)} />
      )}
    </Card>
  );
}
