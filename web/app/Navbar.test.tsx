// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { getCart } from '../../contract/checkout/cart.ts';
import { settings } from '../../contract/platform/settings.ts';
import { unknownSettings } from '../platform/api/query.ts';
import { aCartItem } from '../testing/samples.ts';
import { answers, show } from '../testing/screen.tsx';
import { ErrorPage } from './ErrorPage.tsx';
import { Footer } from './Footer.tsx';
import { Navbar } from './Navbar.tsx';

const named = answers(settings, {
  ...unknownSettings,
  contact: 'hello@rally.test',
  city: 'Lisbon',
  country: 'Portugal',
});
const linksIn = (element: HTMLElement) =>
  within(element)
    .getAllByRole('link')
    .map(({ textContent }) => textContent);

it('the navbar has its links in the specified order', () => {
  show(<Navbar />, { role: null, replies: [named] });
  const main = screen.getByRole('navigation', { name: 'Main' });
  expect(linksIn(main)).toEqual(['Home', 'Instructors', 'Classes']);
  expect(screen.getAllByRole('link', { name: 'Login' })).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Logout' })).toBeNull();
});

it('a student has the cart, Logout and Dashboard', async () => {
  show(<Navbar />, { replies: [named, answers(getCart, [aCartItem])] });
  expect(await screen.findByRole('link', { name: 'Cart, 1 class' })).toBeTruthy();
  const [dashboard] = screen.getAllByRole('link', { name: 'Dashboard' });
  expect(dashboard?.getAttribute('href')).toBe('/dashboard/mycart');
  expect(dashboard?.previousElementSibling?.textContent).toBe('Logout');
});

it('the menu closes on Escape and gives the focus back', () => {
  show(<Navbar />, { role: null, replies: [named] });
  const menu = document.querySelector('details');
  menu?.setAttribute('open', '');
  fireEvent.keyDown(window, { key: 'Escape' });
  expect(menu?.hasAttribute('open')).toBe(false);
  expect(document.activeElement).toBe(menu?.querySelector('summary'));
});

it('the footer has its links and words in the specified order', async () => {
  show(<Footer />, { role: null, replies: [named] });
  const contact = await screen.findByRole('link', { name: 'Contact' });
  expect(contact.getAttribute('href')).toBe('mailto:hello@rally.test');
  const footer = screen.getByRole('contentinfo');
  expect(linksIn(footer)).toEqual(['Home', 'Instructors', 'Classes', 'Signup', 'Contact']);
  expect(footer.textContent).toMatch(/About usContactJobsLisbon, Portugal/);
});

it('an unknown address has its two ways on', () => {
  show(<ErrorPage />);
  const ways = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(ways).toEqual(['/', '/dashboard']);
});
