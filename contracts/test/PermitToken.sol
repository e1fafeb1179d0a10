// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Token} from "./Token.sol";

/// @notice ERC-20 with EIP-2612 and its own domain version, like USDC.
contract PermitToken is Token {
  error PermitExpired(uint256 deadline);
  error PermitNotFromOwner(address signer, address owner);

  bytes32 public constant PERMIT_TYPEHASH =
    keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
  bytes32 private constant DOMAIN_TYPEHASH =
    keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

  string public version;
  mapping(address owner => uint256) public nonces;

  constructor(
    string memory name_,
    string memory symbol_,
    uint8 decimals_,
    string memory version_
  ) Token(name_, symbol_, decimals_) {
    version = version_;
  }

  function permit(
    address owner,
    address spender,
    uint256 value,
    uint256 deadline,
    uint8 v,
    bytes32 r,
    bytes32 s
  ) external {
    if (block.timestamp > deadline) revert PermitExpired(deadline);
    bytes32 terms = keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, nonces[owner]++, deadline));
    address signer = ecrecover(keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), terms)), v, r, s);
    if (signer == address(0) || signer != owner) revert PermitNotFromOwner(signer, owner);
    _allow(owner, spender, value);
  }

  function DOMAIN_SEPARATOR() public view returns (bytes32) {
    return
      keccak256(
        abi.encode(
          DOMAIN_TYPEHASH,
          keccak256(bytes(name)),
          keccak256(bytes(version)),
          block.chainid,
          address(this)
        )
      );
  }
}
