// One build chunk for linked screens.
export { NetworkScreen } from '../networks/NetworkScreen.tsx'
export { NetworksScreen } from '../networks/NetworksScreen.tsx'
