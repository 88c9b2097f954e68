// The class that a visitor selected before it was known who they are.

const key = 'selected-class';

/**
 * Signed out: kept on the way through sign-in (also through Google's pages and back) and nowhere
 * else.
 */
export const selection = {
  keep: (classId: string) => sessionStorage.setItem(key, classId),
  read: () => sessionStorage.getItem(key),
  forget: () => sessionStorage.removeItem(key),
};

const known = 'known-here';

/** Somebody has signed in on this device: then the login comes first. */
export const knownHere = () => localStorage.getItem(known) !== null;
export const markKnownHere = () => localStorage.setItem(known, 'yes');

let early: { classId: string; place: string } | null = null;

/**
 * Selected while the session was still unknown. `place` is the history entry of the click; a reload
 * or another page forgets it.
 */
export const earlySelection = {
  keep: (classId: string, place: string) => {
    early = { classId, place };
  },
  take: (place: string) => {
    const taken = early?.place === place ? early.classId : null;
    early = null;
    return taken;
  },
};
