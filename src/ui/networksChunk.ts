// One build chunk: the list leads to its networks.
export { NetworkScreen } from './networks/NetworkScreen.tsx'
export { NetworksScreen } from './networks/NetworksScreen.tsx'
