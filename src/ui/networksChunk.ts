// One chunk of the build (Home.tsx): whoever looks at the list looks at one of them next.
export { Network } from './networks/NetworkScreen.tsx'
export { Networks } from './networks/NetworksScreen.tsx'
