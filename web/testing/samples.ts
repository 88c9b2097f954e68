// A class, an item of the cart and the settings, as the server answers them, for the component tests.
// A test changes what it is about.
import type { CartItem } from '../../contract/cart.ts';
import type { ClassDetail } from '../../contract/classes.ts';
import { unknownSettings } from '../api/query.ts';
import { email } from './screen.tsx';

export const aClass: ClassDetail = {
  _id: 'x',
  name: 'Archery Basics',
  img: '/media/class/archery-basics.webp',
  instructor: 'Ana Costa',
  instructorId: 'i1',
  instructorImg: '/media/people/ana-costa.svg',
  email: 'ana@rally.test',
  price: 129,
  seat: 6,
  capacity: 18,
  enrolled: 12,
  status: 'approved',
  sport: 'Archery',
  level: 'all',
  bring: '',
  ages: '8 to 12',
  schedule: 'Sat 10:00',
  place: 'Range behind hall 2',
  description: 'Bows are here.',
};

export const aCartItem: CartItem = {
  _id: 'b1',
  itemId: 'c1',
  name: aClass.name,
  img: aClass.img,
  price: 129,
  seenPrice: 129,
  email,
  seat: 6,
  state: 'ok',
};

export const someSettings = { ...unknownSettings, brand: 'Rally' };
