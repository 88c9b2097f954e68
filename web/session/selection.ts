// The class that a signed-out visitor selected, kept on the way through sign-in (also through Google's pages and back) and nowhere else.

const key = 'selected-class';

export const selection = {
  keep: (classId: string) => sessionStorage.setItem(key, classId),
  read: () => sessionStorage.getItem(key),
  forget: () => sessionStorage.removeItem(key),
};
