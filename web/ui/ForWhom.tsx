// Who comes to a class, when it is not the account's own person: "for Mia".

/** The name of a class in labels of buttons: two children may be in one class. */
export const nameFor = (name: string, participant: string | undefined) =>
  participant ? `${name} for ${participant}` : name;

export function ForWhom({ name }: { name: string | undefined }) {
  if (!name) return null;
  return <p className="text-primary text-sm font-medium wrap-anywhere">for {name}</p>;
}
