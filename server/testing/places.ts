// Visitors at addresses of their own, so that the limits per address do not hide what is tested.
import { type TestApp } from './app.ts';
import { aMember, Visitor } from './visitor.ts';

export function placesOf(app: TestApp) {
  /** A visitor at the address with this number. */
  const from = (number: number) => {
    const visitor = new Visitor(app);
    visitor.address = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
    return visitor;
  };

  /** A member whose sign-up and sign-in came from an address of their own. */
  async function aMemberAt(address: string) {
    const visitor = new Visitor(app);
    visitor.address = address;
    const member = await aMember(app);
    visitor.cookies.clear();
    await visitor.signIn(member.email);
    return { ...member, visitor };
  }

  return { from, aMemberAt };
}
