// The builds of uWebSockets.js that may be loaded, by platform, architecture and ABI of Node.js, with the SHA-256 of each as
// it was when it was chosen. Whoever takes another release changes the package and its hashes together.

/** The releases of Node.js that this program runs on, by the ABI (NODE_MODULE_VERSION) of their addons. */
export const nodeReleases: Readonly<Record<string, number>> = { 115: 20, 127: 22, 137: 24, 141: 25 }

export interface BuildPackage {
  /** As in package.json. */
  readonly name: string
  /** Where its builds are in it: empty, or with a slash at its end. */
  readonly folder: string
  /** The oldest glibc that its builds for Linux load with: what their symbols ask for. */
  readonly glibc: string
  /** By `uws_<platform>_<architecture>_<abi>`. */
  readonly sha256: Readonly<Record<string, string>>
}

/** No build is in two of them. */
export const buildPackages: readonly BuildPackage[] = [
  {
    name: 'uWebSockets.js',
    folder: 'dist/bin/',
    glibc: '2.28',
    sha256: {
      uws_darwin_arm64_115: '5d523bccbe80d3d8fa59422ff81801b8179212b9a8a5da28bff6926a95a65701',
      uws_darwin_arm64_127: 'abbeea53d48e21c01808203e9f9835728f2cea720d2e5b154837ee3045b513be',
      uws_darwin_x64_115: '1f2a5c73d9dc3066d39b675b73f2c50eddbc4f270d292a6126ddfe3757c54cf9',
      uws_darwin_x64_127: 'afd992dc1ca1e33cdc7ce0c72a60baf236e590a257fcecbbbce7bc1a35451387',
      uws_linux_arm64_115: 'c0e29fc143b46b584f3debec7910014ec228198fc1f17aaeacd1de7991bd3769',
      uws_linux_arm64_127: 'd4c4f8b2c28c5f6544b49e36d91b0beee238a5b90a07904a947f77061c8b814d',
      uws_linux_arm_115: 'b02d5bc5ab08f040b6b9b818c3eb92806611f77a4dc2439a8f14cac827d498be',
      uws_linux_arm_127: '0e1d4024b629a1fe17ec76cde8fe7e320101eb8bdcf7b2c4086933932e3cea23',
      uws_linux_x64_115: '6f8d96d761a64beddb060f1f7f0e617dd293ed127ec1d57507aa561a0083171e',
      uws_linux_x64_127: '8cabc918bbf9a07323e54f89a33882491080b2eb35df0607f473ccdb1f3c31af',
      uws_win32_x64_115: '58c8b8e47ae3dc6c382dbfc24656755106cbecce56add05ca2c32d5c39951ddd',
      uws_win32_x64_127: '585d6ee2dbfc750b1d5a59e6ceaef8a977e90ef3e298a82821d58b41cd72a8c0',
    },
  },
  {
    name: 'uWebSockets.js-20.57',
    folder: '',
    glibc: '2.38',
    sha256: {
      uws_darwin_arm64_137: '2187391c702fa7ad3bf685eff7712c15cf24fa7cf324a131dfcbae3fd0f20a9a',
      uws_darwin_arm64_141: '8555586f69116620ac17540b2a7a2459c5db1cebee5c36fd77157dd352fabf82',
      uws_darwin_x64_137: '98fd7e9456e2d37d3262b05b053d673830927f91c63c0c2ae73bde8d19eef293',
      uws_darwin_x64_141: 'e64e8a42347b5f9861b0f2bfa0981d8e48914e9b26ec73e133ba454d9a580777',
      uws_linux_arm64_137: '88618b30ddf6b2b62310db89f40a701616676352aac5e0f6184dd8ef876199ce',
      uws_linux_arm64_141: '81d0186dd1549ed6a7f47e68e323573fc27d69d2920527654ce2dd993af2b0ec',
      uws_linux_x64_137: '98128405dba2fb608448e921a979530f70c946a2cc9889c15f2fa70c2d00ab05',
      uws_linux_x64_141: '813d788b347c6fd76b779d8932311ec05a044e612b4b83af220f16e6ea789683',
      uws_win32_x64_137: '84ae72d2149e6ffa2a44063344073599027b1ce8bffaab3957903f966b0c6bb9',
      uws_win32_x64_141: '59346e454b89d2d0ed1609b7581683bb9fde7edaf3b3f04fe4f6fe03e34c8afd',
    },
  },
]
