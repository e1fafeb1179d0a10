// What sends and whom it sends to is one chunk of the build (Home.tsx): these screens lead to each other.
export { ContactDoubts } from '../contacts/ContactWarnings.tsx'
export { Contacts } from './Contacts.tsx'
export { Send } from './Send.tsx'
