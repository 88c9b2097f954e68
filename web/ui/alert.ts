// The dialogs and toasts of the specification (sections 8 and 9). SweetAlert2 is loaded when the first one is shown.
// Not for: errors of a form (Field) or of a load (ErrorNote), which stand where they happened.

const load = () => import('./swal.ts').then((module) => module.swal());

/** Top-end, 1500 ms, no confirm button. */
export async function toast(title: string, icon: 'success' | 'error' | 'info' = 'success') {
  const swal = await load();
  await swal.fire({ position: 'top-end', icon, titleText: title, showConfirmButton: false, timer: 1_500, toast: true });
}

export async function success(title: string, text?: string) {
  const swal = await load();
  await swal.fire({ icon: 'success', titleText: title, ...(text && { text }) });
}

export async function failure(title: string, text?: string) {
  const swal = await load();
  await swal.fire({ icon: 'error', titleText: title, ...(text && { text }) });
}

/** Asks as the specification words it; true when the user means it. */
export async function confirmDelete(
  words = { title: 'Are you sure?', text: "You won't be able to revert this!", yes: 'Yes, delete it!' },
) {
  const swal = await load();
  const { isConfirmed } = await swal.fire({
    icon: 'warning',
    titleText: words.title,
    text: words.text,
    showCancelButton: true,
    confirmButtonText: words.yes,
    focusCancel: true,
  });
  return isConfirmed;
}
