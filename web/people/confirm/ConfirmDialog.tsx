// The dialog that asks for the six digits of an address over what was being done.
import { Modal } from '../../platform/ui/Modal.tsx';
import { ConfirmCode } from './ConfirmCode.tsx';

interface ConfirmDialogProps {
  onConfirmed: () => void;
  onClose: () => void;
}

export const ConfirmDialog = ({ onConfirmed, onClose }: ConfirmDialogProps) => (
  <Modal title="Please confirm your address first" onClose={onClose}>
    <ConfirmCode onConfirmed={onConfirmed} onCorrect={onClose} focused />
  </Modal>
);
