// A value that follows once it has not changed for a while: half a date is no date.
import { useEffect, useState } from 'react';

export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  // Compared by content: a new object with the same words changes nothing.
  const words = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(words) as T), ms);
    return () => clearTimeout(timer);
  }, [words, ms]);
  return settled;
}
