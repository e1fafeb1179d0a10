// One chunk of the build (Home.tsx): whoever looks at the list looks at one of them next.
export { Network } from './Network.tsx'
export { Networks } from './Networks.tsx'
