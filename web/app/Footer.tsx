// The footer: links to Home, Instructors, Classes and Signup; About us, Jobs and the city are plain
// text by specification, and Contact is a mailto link when the academy has an address.
import { Link } from 'react-router';
import { city, useSettings } from '../api/query.ts';
import { paths } from '../paths.ts';
import { Logo } from '../ui/Logo.tsx';

export function Footer() {
  const { brand, contact } = useSettings();
  return (
    <footer className="bg-[#0a2a24] text-[#eaf2ec]">
      <div className="measure grid grid-cols-2 gap-10 py-14 sm:grid-cols-[2fr_1fr_1fr]">
        <div className="col-span-2 flex flex-col gap-4 sm:col-span-1">
          <p className="flex items-center gap-3 text-lg font-bold">
            <Logo /> {brand}
          </p>
          <p className="max-w-sm text-[#c4d6cd]">
            Summer classes for children and teenagers, taught by people who love their sport.
          </p>
        </div>
        <nav aria-label="Footer" className="flex flex-col items-start gap-3">
          <Link className="link-hover" to={paths.home}>
            Home
          </Link>
          <Link className="link-hover" to={paths.instructors}>
            Instructors
          </Link>
          <Link className="link-hover" to={paths.classes}>
            Classes
          </Link>
          <Link className="link-hover" to={paths.signup}>
            Signup
          </Link>
        </nav>
        <div className="flex flex-col gap-3 text-[#c4d6cd]">
          <p>About us</p>
          <p>
            {contact ? (
              <a className="underline underline-offset-4" href={`mailto:${contact}`}>
                Contact
              </a>
            ) : (
              'Contact'
            )}
          </p>
          <p>Jobs</p>
          <p>{city}</p>
        </div>
      </div>
    </footer>
  );
}
