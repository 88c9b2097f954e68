// Addresses whose search says what a list or a calendar shows.

export const addressOf = (path: string, search: URLSearchParams) =>
  search.size > 0 ? `${path}?${search}` : path;

export function searchWith(search: URLSearchParams, name: string, value: string | null = null) {
  const next = new URLSearchParams(search);
  if (value) next.set(name, value);
  else next.delete(name);
  return next;
}

export const typedIn = (form: HTMLFormElement) =>
  new URLSearchParams(
    [...new FormData(form)].flatMap(([name, value]) =>
      typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [],
    ),
  );
