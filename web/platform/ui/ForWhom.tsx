// Who comes to a class, when it is not the account's own person: "for Mia".

/** The name of a class in labels of buttons: two children may be in one class. */
export const nameFor = (name: string, participant: string | null | undefined) =>
  participant ? `${name} for ${participant}` : name;

type Rows = readonly { participant?: string | null | undefined }[];

/** The name of a child. A seat of one's own is for "you" if another row is for a child. */
export const whomOf = (participant: string | null | undefined, among?: Rows) =>
  participant ?? (among?.some((row) => row.participant) ? 'you' : undefined);

interface ForWhomProps {
  name: string | null | undefined;
  among?: Rows;
}

export function ForWhom({ name, among }: ForWhomProps) {
  const whom = whomOf(name, among);
  return whom && <p className="text-primary text-sm font-medium wrap-anywhere">for {whom}</p>;
}
