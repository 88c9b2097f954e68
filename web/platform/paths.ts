// Every URL that we link to, built in one object. Imports nothing of ours.

export const paths = {
  home: '/',
  login: '/login',
  signup: '/signup',
  forgotPassword: '/forgotpassword',
  resetPassword: '/resetpassword',
  confirm: '/confirm',
  invitation: '/invitation',
  join: '/join',
  newAddress: '/newaddress',
  classes: '/classes',
  class: (id: string) => `/classes/${encodeURIComponent(id)}`,
  classesOf: (instructorId: string) => `/classes?instructor=${encodeURIComponent(instructorId)}`,
  classesIn: (sport: string) => `/classes?sport=${encodeURIComponent(sport)}`,
  calendar: '/calendar',
  instructors: '/instructors',
  page: (name: string) => `/pages/${encodeURIComponent(name)}`,
  updateClass: '/updateclass',
  dashboard: {
    home: '/dashboard',
    adminHome: '/dashboard/adminhome',
    userHome: '/dashboard/userhome',
    myClasses: '/dashboard/myclasses',
    manageUsers: '/dashboard/manageusers',
    user: (id: string) => `/dashboard/manageusers/${encodeURIComponent(id)}`,
    addAClass: '/dashboard/addaclass',
    mySelectedClasses: '/dashboard/myselectedclasses',
    payment: '/dashboard/payment',
    paymentOf: (cartItemId: string) => `/dashboard/payment?item=${encodeURIComponent(cartItemId)}`,
    paymentOfAll: (cartItemIds: readonly string[], coupon?: string) =>
      `/dashboard/payment?items=${cartItemIds.map(encodeURIComponent).join(',')}${coupon ? `&coupon=${encodeURIComponent(coupon)}` : ''}`,
    paymentInstead: (cartItemId: string, enrolmentId: string) =>
      `/dashboard/payment?items=${encodeURIComponent(cartItemId)}&instead=${encodeURIComponent(enrolmentId)}`,
    myEnrolledClasses: '/dashboard/myenrolledclasses',
    paymentHistory: '/dashboard/paymenthistory',
    credit: '/dashboard/credit',
    waiting: '/dashboard/waiting',
    line: (classId: string) => `/dashboard/manageclasses/${encodeURIComponent(classId)}/line`,
    ownLine: (classId: string) => `/dashboard/myclasses/${encodeURIComponent(classId)}/line`,
    manageClasses: '/dashboard/manageclasses',
    addForInstructor: '/dashboard/manageclasses/new',
    review: (classId: string) => `/dashboard/manageclasses/${encodeURIComponent(classId)}`,
    places: '/dashboard/places',
    discounts: '/dashboard/discounts',
    academy: '/dashboard/academy',
    myCart: '/dashboard/mycart',
    calendar: '/dashboard/calendar',
    family: '/dashboard/family',
    familyMember: (id: string) => `/dashboard/family/${encodeURIComponent(id)}`,
    familyPlan: '/dashboard/family/plan',
    audit: '/dashboard/audit',
    payments: '/dashboard/payments',
    paymentDetails: (id: string) => `/dashboard/payments/${encodeURIComponent(id)}`,
    attention: '/dashboard/attention',
    attendance: '/dashboard/attendance',
    rollCall: '/dashboard/rollcall',
    rollCallOf: (classId: string, meetingId?: string) =>
      `/dashboard/rollcall/${encodeURIComponent(classId)}${meetingId ? `?meeting=${encodeURIComponent(meetingId)}` : ''}`,
    account: '/dashboard/account',
    receipt: (id: string) => `/dashboard/receipt/${encodeURIComponent(id)}`,
  },
} as const;

/** The first page of a role: where the navbar's Dashboard link leads (specification, section 2). */
export function dashboardOf(role: 'student' | 'instructor' | 'admin' | null): string {
  if (role === 'admin') return paths.dashboard.manageUsers;
  if (role === 'instructor') return paths.dashboard.myClasses;
  return paths.dashboard.myCart;
}

export const isId = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
