// The data of the demo academy, which seed.ts writes at the first start. Never used in production.
import type { Level, Sport } from '../../contract/classes/classes.ts';
import type { Role } from '../../contract/platform/call.ts';
import type { Banner, Sponsor } from '../../contract/academy/academy.ts';
import { type Db, execute } from '../platform/db/connection.ts';

export const demoPassword = 'Rally#2026';

const fileOf = (name: string) =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z -]/g, '')
    .replace(/ /g, '-');

export const pictureOf = (classNamed: string) => `/media/class/${fileOf(classNamed)}.webp`;

const person = (name: string, role: Role, email: string, signsIn = false, says = '') => ({
  name: name + says,
  email: `${email}@rally.test`,
  role,
  image: `/media/people/${fileOf(name)}.svg`,
  signsIn,
});

export const people = [
  person('Avery Admin', 'admin', 'admin', true),
  person('Casey Morgan', 'instructor', 'coach', true),
  person('Priya Raman', 'instructor', 'priya'),
  person('Tomás Herrera', 'instructor', 'tomas'),
  person('Ingrid Solberg', 'instructor', 'ingrid'),
  person('Malik Johnson', 'instructor', 'malik'),
  person('Yuki Tanaka', 'instructor', 'yuki'),
  person('Sam Student', 'student', 'student', true),
  person('Pat Parent', 'student', 'parent', true),
  ...'Amara Ben Chloe Diego Elif Finn Grace Hana Ivan Jonas Kira Liam Mina Noor'
    .split(' ')
    .map((name) => person(name, 'student', name.toLowerCase(), false, ' (demo family)')),
];

export interface DemoClass {
  name: string;
  coach: string;
  sport: Sport;
  cents: number;
  capacity: number;
  sold: number;
  level?: Level;
  ages: string;
  /** Every week, for eight weeks. Without it the class has words only. */
  meets?: { weekdays: readonly number[]; starts: string; minutes: number };
  schedule?: string;
  place: string;
  bring?: string;
  description: string;
  status?: 'pending' | 'denied';
  feedback?: string;
}

const everyDay = [1, 2, 3, 4, 5, 6, 7];

export const classes: readonly DemoClass[] = [
  {
    name: 'First Touch Soccer',
    coach: 'coach@rally.test',
    sport: 'Soccer',
    cents: 12_900,
    capacity: 18,
    sold: 12,
    level: 'beginner',
    ages: '6–8 years',
    meets: { weekdays: [1, 3, 5], starts: '09:00', minutes: 90 },
    place: 'North field',
    bring: 'Shin guards, a water bottle and shoes for grass.',
    description:
      'Small-sided games and lots of ball contact for children who are new to soccer. Every session begins with free play, then one skill, then a match in teams of four, so that everybody touches the ball.\n\nBring shin guards, a water bottle and shoes for grass. Balls and bibs are here.',
  },
  {
    name: 'Soccer Goalkeepers',
    coach: 'coach@rally.test',
    sport: 'Soccer',
    cents: 14_900,
    capacity: 8,
    sold: 7,
    level: 'intermediate',
    ages: '9–13 years',
    meets: { weekdays: [2, 4], starts: '16:00', minutes: 90 },
    place: 'North field, small goals',
    description:
      'Footwork, safe falling, catching high balls and starting the attack. Groups of four with one coach each.\n\nBring gloves if you have them; we lend them otherwise.',
  },
  {
    name: 'Hoops for Beginners',
    coach: 'malik@rally.test',
    sport: 'Basketball',
    cents: 11_900,
    capacity: 16,
    sold: 10,
    level: 'beginner',
    ages: '8–11 years',
    meets: { weekdays: [1, 2, 3, 4], starts: '10:45', minutes: 75 },
    place: 'Hall 1',
    description:
      'Dribbling with both hands, passing on the move and the first lay-up. Baskets are lowered so that shots go in.\n\nIndoor shoes with light soles, please.',
  },
  {
    name: 'Three-on-Three League',
    coach: 'malik@rally.test',
    sport: 'Basketball',
    cents: 9_950,
    capacity: 24,
    sold: 6,
    ages: '12–15 years',
    meets: { weekdays: [6], starts: '14:00', minutes: 180 },
    place: 'Outdoor court',
    description:
      'A half-court league over four Saturdays. Teams are drawn anew each week; fair play counts double in the table.',
  },
  {
    name: 'Learn to Swim',
    coach: 'ingrid@rally.test',
    sport: 'Swimming',
    cents: 18_900,
    capacity: 8,
    sold: 8,
    level: 'beginner',
    ages: '5–7 years',
    meets: { weekdays: everyDay, starts: '08:30', minutes: 45 },
    place: 'Teaching pool',
    bring: 'Swimwear, a towel and a cap. Goggles if you like them.',
    description:
      'From getting the face wet to ten metres on the back and front. One coach in the water for four children, one more at the edge.\n\nBring a swim cap and a towel. Parents may watch from the gallery.',
  },
  {
    name: 'Stroke Clinic',
    coach: 'ingrid@rally.test',
    sport: 'Swimming',
    cents: 16_500,
    capacity: 12,
    sold: 9,
    level: 'advanced',
    ages: '9–14 years',
    meets: { weekdays: [1, 3, 5], starts: '17:00', minutes: 60 },
    place: '25 m pool',
    description:
      'Crawl and backstroke with under-water video once a week. For children who swim 100 metres without a pause.',
  },
  {
    name: 'Red Ball Tennis',
    coach: 'tomas@rally.test',
    sport: 'Tennis',
    cents: 13_500,
    capacity: 12,
    sold: 11,
    level: 'beginner',
    ages: '5–8 years',
    meets: { weekdays: [2, 4], starts: '09:00', minutes: 60 },
    place: 'Courts 1–3',
    description:
      'Short courts, soft balls and rackets in the right size. By the end of the week everybody rallies over the net.',
  },
  {
    name: 'Match Play Tennis',
    coach: 'tomas@rally.test',
    sport: 'Tennis',
    cents: 21_000,
    capacity: 10,
    sold: 4,
    ages: '12–17 years',
    schedule: 'Mon–Fri · 15:00–17:00',
    place: 'Courts 4–6',
    description:
      'Serve, return and how to build a point. Two hours of play each day with a coach on every court.',
  },
  {
    name: 'Table Tennis Club',
    coach: 'yuki@rally.test',
    sport: 'Table Tennis',
    cents: 6_900,
    capacity: 20,
    sold: 5,
    ages: '8 years and older',
    meets: { weekdays: [3], starts: '16:30', minutes: 120 },
    place: 'Hall 2',
    description:
      'Twelve tables, one robot and a ladder that everybody can climb. Rackets are here.',
  },
  {
    name: 'Sunrise Yoga',
    coach: 'priya@rally.test',
    sport: 'Yoga',
    cents: 4_500,
    capacity: 25,
    sold: 3,
    ages: '14 years and older',
    meets: { weekdays: everyDay, starts: '07:00', minutes: 45 },
    place: 'Terrace',
    bring: 'A warm layer.',
    description:
      'A quiet start: breathing, balance and stretching. Parents are welcome to book with their teenagers. Mats are here.',
  },
  {
    name: 'Beach Volleyball',
    coach: 'priya@rally.test',
    sport: 'Volleyball',
    cents: 10_900,
    capacity: 16,
    sold: 8,
    ages: '12–16 years',
    meets: { weekdays: [2, 4], starts: '17:00', minutes: 90 },
    place: 'Sand court',
    description:
      'Bump, set and a first spike on real sand. Bring sun cream and a cap; shoes stay off.',
  },
  {
    name: 'Archery Basics',
    coach: 'yuki@rally.test',
    sport: 'Archery',
    cents: 15_900,
    capacity: 8,
    sold: 2,
    level: 'beginner',
    ages: '10 years and older',
    meets: { weekdays: [6], starts: '10:00', minutes: 120 },
    place: 'Range behind hall 2',
    description:
      'Stance, draw and a calm release, with light bows and a strict range protocol. Two coaches for eight archers.',
  },
  {
    name: 'Trail Bike Skills',
    coach: 'tomas@rally.test',
    sport: 'Cycling',
    cents: 17_500,
    capacity: 10,
    sold: 6,
    ages: '9–13 years',
    schedule: 'Mon, Wed · 15:00–17:00',
    place: 'Pump track and forest loop',
    description:
      'Braking, cornering and small drops, then a loop in the forest. Bring a bike that stops and a helmet that fits.',
  },
  {
    name: 'Run, Jump, Throw',
    coach: 'malik@rally.test',
    sport: 'Running',
    cents: 7_999,
    capacity: 22,
    sold: 9,
    ages: '7–10 years',
    meets: { weekdays: [2, 4, 6], starts: '09:00', minutes: 60 },
    place: 'Track',
    description:
      'All of athletics in small portions: sprints, hurdles of foam, long jump and soft javelins.',
  },
  {
    name: 'Strong Bodies',
    coach: 'priya@rally.test',
    sport: 'Fitness',
    cents: 8_450,
    capacity: 14,
    sold: 5,
    ages: '13–17 years',
    schedule: 'Tue, Thu · 18:00–19:00',
    place: 'Gym',
    description:
      'Own body weight first, then kettlebells. Form before weight, always with a coach who counts and corrects.',
  },
  {
    name: 'Family Swim Games',
    coach: 'ingrid@rally.test',
    sport: 'Swimming',
    cents: 2_950,
    capacity: 30,
    sold: 4,
    ages: 'All ages, with an adult',
    schedule: 'Sun · 10:00–12:00',
    place: 'Leisure pool',
    description: 'Relays, floating mats and water polo for everybody. One place is for one person.',
  },
  {
    name: 'Futsal by Night',
    coach: 'coach@rally.test',
    sport: 'Soccer',
    cents: 5_900,
    capacity: 20,
    sold: 0,
    level: 'advanced',
    ages: '15 years and older',
    meets: { weekdays: [5], starts: '20:00', minutes: 120 },
    place: 'Hall 1',
    description: 'Five a side on a fast floor.',
    status: 'pending',
  },
  {
    name: 'Speed and Agility',
    coach: 'malik@rally.test',
    sport: 'Fitness',
    cents: 9_900,
    capacity: 12,
    sold: 0,
    ages: '11–15 years',
    schedule: 'Sat · 9:00–10:30',
    place: 'Track',
    description: 'Ladders, cones and short sprints.',
    status: 'pending',
  },
  {
    name: 'Extreme Mountain Descent',
    coach: 'coach@rally.test',
    sport: 'Cycling',
    cents: 29_900,
    capacity: 12,
    sold: 0,
    ages: '8 years and older',
    schedule: 'Sun · 8:00–16:00',
    place: 'Black trail',
    description: 'Down the black trail.',
    status: 'denied',
    feedback:
      'The black trail is not suitable for eight-year-olds. Please choose the blue trail or raise the age to 16, and name the second coach.',
  },
];

const banners: Banner[] = [
  {
    picture: '/media/banner/summer-kit',
    alt: 'Towel, cap, racket, balls, bottle, goggles and whistle on a green court',
  },
  {
    picture: '/media/banner/pool',
    alt: 'A swim ring with a duck, a kickboard, goggles and a ball on the water',
  },
  {
    picture: '/media/banner/court',
    alt: 'A racket on the net and a basket of tennis balls on a clay court',
  },
  {
    picture: '/media/banner/team',
    alt: 'Soccer ball, basketball, volleyball and tennis ball on coloured podiums',
  },
];

const sponsors = ['Alpina', 'Aqualis', 'Kinetic', 'Nordwind', 'Peakline', 'Velora'].map(
  (name): Sponsor => ({ name, picture: `/media/sponsor/${name.toLowerCase()}.svg`, link: '' }),
);

const faq = [
  [
    'Who will look after my child?',
    'Each class has one named instructor. You can see their name, picture and email before you book, and write to them. The academy reviews every class before it goes on sale.',
  ],
  [
    'Which ages is a class for?',
    'Each class states its ages. If your child is between two groups, ask the instructor before you book; you will find their email on the class page.',
  ],
  [
    'What if the class fills up while I am paying?',
    'It cannot. We hold your seat for 15 minutes once you start paying, and you can extend that. If the time runs out, the seat is released and your card is not charged.',
  ],
  [
    'What if something goes wrong with the payment?',
    'A payment counts only when the card provider confirms it. If you were charged and there was no seat, we refund the same card automatically.',
  ],
  [
    'Can I get my money back?',
    'Write to {contact}. A refund goes in full to the card you paid with, and you see it in your payment history.',
  ],
  [
    'Is my card safe?',
    'The card number is typed into a field of the card provider and never reaches our server. We keep what a receipt needs, and nothing of the card.',
  ],
  [
    'What should they bring?',
    'Sports clothes, indoor or outdoor shoes to suit the sport, a full water bottle, and sun cream on outdoor days. For swimming: a swimsuit, a towel and goggles. Anything else is listed in the description of the class.',
  ],
].map(([question, answer]) => ({ question, answer }));

export const writeSettings = (db: Db) => execute(db)`
  update academy set city = 'Lisbon', country = 'Portugal', banners = ${JSON.stringify(banners)}::jsonb,
    sponsors = ${JSON.stringify(sponsors)}::jsonb, faq = ${JSON.stringify(faq)}::jsonb, steps_hidden_at = now()`;
