// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Forces native tokens on an account through SELFDESTRUCT.
contract Feeder {
  function feed(address to) external payable {
    bytes memory code = abi.encodePacked(hex'73', to, hex'ff'); // PUSH20 to, SELFDESTRUCT
    assembly {
      pop(create(callvalue(), add(code, 32), mload(code)))
    }
  }
}
