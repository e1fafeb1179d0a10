// One build chunk for linked screens.

export { ContactsScreen } from '../contacts/ContactsScreen.tsx'
export { ContactWarnings } from '../contacts/ContactWarnings.tsx'
export { SendScreen } from '../send/SendScreen.tsx'
