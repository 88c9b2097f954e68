// Who comes to a class, when it is not the account's own person: "for Mia".

/** The name of a class in labels of buttons: two children may be in one class. */
export const nameFor = (name: string, participant: string | undefined) =>
  participant ? `${name} for ${participant}` : name;

interface ForWhomProps {
  name: string | undefined;
  /** All rows of the list. If one of them is for a child, a row for the account's owner says "for you". */
  among?: readonly { participant?: string | undefined }[];
}

export function ForWhom({ name, among }: ForWhomProps) {
  const whom = name ?? (among?.some(({ participant }) => participant) ? 'you' : null);
  return whom && <p className="text-primary text-sm font-medium wrap-anywhere">for {whom}</p>;
}
