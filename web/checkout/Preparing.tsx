// What to know before a meeting: where it is, with the way there, and what to bring.
import { useQuery } from '@tanstack/react-query';
import { getClass } from '../../contract/classes/classes.ts';
import { MapLink } from '../classes/ClassFacts.tsx';
import { query, useSettings, whereabouts } from '../platform/api/query.ts';

export function Preparing({ classId, place }: { classId: string; place: string }) {
  const { data } = useQuery(query(getClass, { id: classId }));
  const city = whereabouts(useSettings());
  const found = data?.meetings?.find((meeting) => meeting.place === place && meeting.address);
  const onMap = found?.address ?? (city && `${place}, ${city}`);
  return (
    <>
      {place && (
        <span className="block">{onMap ? <MapLink to={onMap}>{place}</MapLink> : place}</span>
      )}
      {data?.bring && <span className="block">Bring: {data.bring}</span>}
    </>
  );
}
