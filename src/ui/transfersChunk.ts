// What sends and whom it sends to is one chunk of the build (Home.tsx): these screens lead to each other.

export { ContactsScreen } from './contacts/ContactsScreen.tsx'
export { ContactWarnings } from './contacts/ContactWarnings.tsx'
export { SendScreen } from './send/SendScreen.tsx'
