// The further section of the home page: what a parent wants to know before booking. Only what this
// app really does is promised here.
import { WriteToUs } from '../features/classes/WriteToUs.tsx';

const steps = [
  [
    'Look',
    'Every class shows its price, ages, times and free seats. You can look without an account.',
  ],
  ['Select', 'Add the classes you like to your cart. It is free and does not reserve a seat.'],
  [
    'Pay',
    'We hold one seat for you for 15 minutes once you start paying. No one else can buy it meanwhile.',
  ],
  [
    'Come',
    'You get a receipt at once, and your class appears in your dashboard with times and place.',
  ],
] as const;

const questions = [
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
    <>
      <WriteToUs /> A refund goes in full to the card you paid with, and you see it in your payment
      history.
    </>,
  ],
  [
    'Is my card safe?',
    'The card number is typed into a field of the card provider and never reaches our server. We keep what a receipt needs, and nothing of the card.',
  ],
  [
    'What should they bring?',
    'Sports clothes, indoor or outdoor shoes to suit the sport, a full water bottle, and sun cream on outdoor days. For swimming: a swimsuit, a towel and goggles. Anything else is listed in the description of the class.',
  ],
] as const;

export function BeforeBooking() {
  return (
    <section aria-labelledby="before-booking" className="bg-[#0a2a24] text-[#eaf2ec]">
      <div className="measure grid gap-12 py-16 sm:py-24 lg:grid-cols-[5fr_6fr] lg:gap-20">
        <div>
          <h2 id="before-booking" className="text-3xl sm:text-5xl">
            Before you book
          </h2>
          <p className="mt-4 max-w-prose text-lg text-[#c4d6cd]">
            What parents ask us, answered plainly.
          </p>
          <ol className="mt-10 flex flex-col gap-7">
            {steps.map(([title, text], index) => (
              <li key={title} className="flex gap-5">
                <span
                  aria-hidden="true"
                  className="figures flex size-10 shrink-0 items-center justify-center rounded-full bg-[#d7f24a] font-bold text-[#16240a]"
                >
                  {index + 1}
                </span>
                <div>
                  <h3 className="text-lg">{title}</h3>
                  <p className="mt-1 text-[#c4d6cd]">{text}</p>
                </div>
              </li>
            ))}
          </ol>
        </div>
        <div className="flex flex-col divide-y divide-white/15 border-y border-white/15 lg:mt-2">
          {questions.map(([question, answer], index) => (
            <details key={question} name="questions" open={index === 0} className="group">
              <summary className="flex cursor-pointer list-none items-center justify-between gap-4 py-5 text-lg font-semibold focus-visible:outline-[#d7f24a]">
                {question}
                <span
                  aria-hidden="true"
                  className="text-2xl text-[#d7f24a] transition-transform duration-200 group-open:rotate-45"
                >
                  +
                </span>
              </summary>
              <p className="max-w-prose pb-6 text-[#c4d6cd]">{answer}</p>
            </details>
          ))}
        </div>
      </div>
    </section>
  );
}
