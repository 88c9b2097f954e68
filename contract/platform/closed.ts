// Why a class cannot be paid for. Separate from the errors, so that the cart and the card form do not
// load the whole catalogue.
export const classClosed = 'This class is no longer offered. Nothing was charged.';
export const classInReview = 'This class is being checked by the academy. It will be back soon.';
