// Visitors with their own IP addresses, so that limits per address do not affect the test.
import { type TestApp } from './app.ts';
import { aMember, Visitor } from './visitor.ts';

export function placesOf(app: TestApp) {
  /** A visitor with the IP address of this number. */
  const from = (number: number) => {
    const visitor = new Visitor(app);
    visitor.address = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
    return visitor;
  };

  /** A member who signed up and in from their own IP address. */
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
