// SweetAlert2 in our clothes: its stylesheet comes with our build (no injected style tags, which the CSP forbids).
// Not for: direct use; alert.ts says what we show.
import Swal from 'sweetalert2/dist/sweetalert2.esm.js';
import 'sweetalert2/dist/sweetalert2.css';
import './swal.css';

export const swal = () =>
  Swal.mixin({
    buttonsStyling: false,
    reverseButtons: true,
    customClass: {
      confirmButton: 'btn btn-primary',
      cancelButton: 'btn btn-ghost',
      actions: 'gap-2',
    },
  });
