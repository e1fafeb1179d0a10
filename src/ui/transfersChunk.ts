// What sends and whom it sends to is one chunk of the build (Home.tsx): these screens lead to each other.

export { Contacts } from './contacts/ContactsScreen.tsx'
export { ContactDoubts } from './contacts/ContactWarnings.tsx'
export { Send } from './send/SendScreen.tsx'
