// What a parent wants to know before booking, on the home page: only what this app really does.
import { useSettings } from '../platform/api/query.ts';

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

interface Question {
  question: string;
  answer: string;
}

/** `questions` are the academy's own; without any, only the steps are shown. */
export function BeforeBooking({ questions }: { questions: readonly Question[] }) {
  return (
    <section aria-labelledby="before-booking" className="bg-band text-band-content">
      <div className="measure grid gap-12 py-16 sm:py-24 lg:grid-cols-[5fr_6fr] lg:gap-20">
        <div>
          <h2 id="before-booking" className="text-3xl sm:text-5xl">
            Before you book
          </h2>
          <p className="mt-4 max-w-prose text-lg text-band-muted">
            What parents ask us, answered plainly.
          </p>
          <ol className="mt-10 flex flex-col gap-7">
            {steps.map(([title, text], index) => (
              <li key={title} className="flex gap-5">
                <span aria-hidden="true" className="figures step-number">
                  {index + 1}
                </span>
                <div>
                  <h3 className="text-lg">{title}</h3>
                  <p className="mt-1 text-band-muted">{text}</p>
                </div>
              </li>
            ))}
          </ol>
        </div>
        {questions.length > 0 && <Questions questions={questions} />}
      </div>
    </section>
  );
}

function Questions({ questions }: { questions: readonly Question[] }) {
  return (
    <div className="flex flex-col divide-y divide-white/15 border-y border-white/15 lg:mt-2">
      {questions.map(({ question, answer }, index) => (
        <details key={question} name="questions" open={index === 0} className="group">
          <summary className="flex cursor-pointer list-none items-center justify-between gap-4 py-5 text-lg font-semibold">
            {question}
            <span
              aria-hidden="true"
              className="text-2xl transition-transform duration-200 group-open:rotate-45"
            >
              +
            </span>
          </summary>
          <p className="max-w-prose pb-6 whitespace-pre-line text-band-muted">
            <Answered text={answer} />
          </p>
        </details>
      ))}
    </div>
  );
}

/** `{contact}` stands for the contact address. */
function Answered({ text }: { text: string }) {
  const { contact } = useSettings();
  // One link is enough; a second one stays words.
  const [before, ...rest] = text.split('{contact}');
  const after = rest.join(contact ?? 'the academy');
  if (rest.length === 0) return before;
  return (
    <>
      {before}
      {contact ? (
        <a href={`mailto:${contact}`} className="underline underline-offset-4 wrap-anywhere">
          {contact}
        </a>
      ) : (
        'the academy'
      )}
      {after}
    </>
  );
}
