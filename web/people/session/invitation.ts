// Secrets of mailed links. They are in the fragment of the link, which no server sees. Signed out, a
// secret waits here on the way through sign-in and sign-up, also through Google's pages and back.

export interface KeptSecret {
  keep: (secret: string) => void;
  read: () => string | null;
  forget: () => void;
}

const kept = (key: string): KeptSecret => ({
  keep: (secret) => sessionStorage.setItem(key, secret),
  read: () => sessionStorage.getItem(key),
  forget: () => sessionStorage.removeItem(key),
});

/** To look after a child. */
export const invitation = kept('guardian-invitation');
/** To join as staff. */
export const staffInvitation = kept('staff-invitation');
/** To give the account a new address. */
export const newAddress = kept('new-address');
