// The settings of the demo academy, which has taken its first steps.
import type { Banner, Question, Sponsor } from '../../contract/academy/academy.ts';
import { type Db, sql } from '../platform/db/connection.ts';

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

const faq: Question[] = [
  {
    question: 'Who will look after my child?',
    answer:
      'Each class has one named instructor. You can see their name, picture and email before you book, and write to them. The academy reviews every class before it goes on sale.',
  },
  {
    question: 'Which ages is a class for?',
    answer:
      'Each class states its ages. If your child is between two groups, ask the instructor before you book; you will find their email on the class page.',
  },
  {
    question: 'What if the class fills up while I am paying?',
    answer:
      'It cannot. We hold your seat for 15 minutes once you start paying, and you can extend that. If the time runs out, the seat is released and your card is not charged.',
  },
  {
    question: 'What if something goes wrong with the payment?',
    answer:
      'A payment counts only when the card provider confirms it. If you were charged and there was no seat, we refund the same card automatically.',
  },
  {
    question: 'Can I get my money back?',
    answer:
      'Write to {contact}. A refund goes in full to the card you paid with, and you see it in your payment history.',
  },
  {
    question: 'Is my card safe?',
    answer:
      'The card number is typed into a field of the card provider and never reaches our server. We keep what a receipt needs, and nothing of the card.',
  },
  {
    question: 'What should they bring?',
    answer:
      'Sports clothes, indoor or outdoor shoes to suit the sport, a full water bottle, and sun cream on outdoor days. For swimming: a swimsuit, a towel and goggles. Anything else is listed in the description of the class.',
  },
];

export const writeSettings = (db: Db) =>
  sql`update academy set city = 'Lisbon', country = 'Portugal', banners = ${JSON.stringify(banners)}::jsonb,
    sponsors = ${JSON.stringify(sponsors)}::jsonb, faq = ${JSON.stringify(faq)}::jsonb, steps_hidden_at = now()`.execute(
    db,
  );
