// The secret of an invitation to look after a child. It is in the fragment of the mailed link, which
// no server sees. Signed out, it waits here on the way through sign-in and sign-up, also through
// Google's pages and back.

const key = 'guardian-invitation';

export const invitation = {
  keep: (secret: string) => sessionStorage.setItem(key, secret),
  read: () => sessionStorage.getItem(key),
  forget: () => sessionStorage.removeItem(key),
};
