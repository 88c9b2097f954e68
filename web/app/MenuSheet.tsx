// The menu of the dashboard as a drawer: on a phone, and on the public pages too.
import { Modal } from '../platform/ui/Modal.tsx';
import { Sidebar } from './Sidebar.tsx';

export const MenuSheet = ({ onClose }: { onClose: () => void }) => (
  <Modal title="Menu" shape="side" onClose={onClose}>
    <Sidebar onGo={onClose} />
  </Modal>
);
