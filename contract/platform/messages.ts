// Every text that the specification fixes, exactly as written there, including typos and the double
// space.

export const messages = {
  // section 8
  userCreated: 'User created successfully.',
  loggedIn: 'User Login Successful.',
  addedToCart: 'Class added to your  cart succesfully.',
  isAdminNow: (name: string) => `${name} is an Admin Now!`,
  isInstructorNow: (name: string) => `${name} is an Instructor Now!`,
  classAdded: 'Class added successfully',
  approved: 'Approved',
  denied: 'Class Denied',
  paid: 'Payment successfull',
  transactionComplete: 'Transaction complete Successfully',
  deletedTitle: 'Deleted!',
  deletedText: 'Your file has been deleted.',
  classUpdated: 'This Class is Updated Successfully',
  deleteQuestion: 'Are you sure?',
  deleteWarning: "You won't be able to revert this!",
  deleteConfirm: 'Yes, delete it!',
  // section 2
  popularClasses: 'Popular Courses',
  popularClassesSub: 'All Popular Classes or Courses is here.....',
  popularInstructors: 'Popular Instructors',
  popularInstructorsSub: 'All our Hero instructors.....',
  sponsors: 'Our Valuable Sponsors',
  sponsorsSub: 'World best companys trust us.....',
  emptyCart: 'Please select a course',
  sortByNew: 'Sort By New Date',
  sortByOld: 'Sort By Old Date',
  // section 5
  nameRequired: 'Name is required',
  photoRequired: 'Photo URL is required',
  emailRequired: 'Email is required',
  passwordRequired: 'Password is required',
  passwordShort: 'Password must be 6 characters',
  passwordLong: 'Password must be less than 20 characters',
  passwordClasses:
    'Password must have one Uppercase one lower case, one number and one special character.',
} as const;
