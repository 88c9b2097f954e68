// The frame of every public page: navbar, content, footer (specification, section 2).
import { Outlet } from 'react-router';
import { Footer } from './Footer.tsx';
import { Navbar } from './Navbar.tsx';

export function PublicLayout() {
  return (
    <div className="flex min-h-screen flex-col">
      <a href="#content" className="btn btn-accent absolute -top-20 left-4 z-50 focus:top-3">
        Skip to content
      </a>
      <Navbar />
      <main id="content" tabIndex={-1} className="flex-1 outline-none">
        <Outlet />
      </main>
      <Footer />
    </div>
  );
}
