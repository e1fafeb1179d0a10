// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Token} from './Token.sol';

/// @notice Has DAI's permit.
contract DaiLikeToken is Token {
  error PermitExpired(uint256 expiry);
  error PermitNotFromHolder(address signer, address holder);
  error WrongNonce(uint256 nonce, uint256 expected);

  bytes32 public constant PERMIT_TYPEHASH =
    keccak256('Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)');
  bytes32 private constant DOMAIN_TYPEHASH =
    keccak256('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)');

  string public constant version = '1';
  mapping(address holder => uint256) public nonces;

  constructor(string memory name_, string memory symbol_) Token(name_, symbol_, 18) {}

  /// @notice Zero `expiry` never expires.
  function permit(
    address holder,
    address spender,
    uint256 nonce,
    uint256 expiry,
    bool allowed,
    uint8 v,
    bytes32 r,
    bytes32 s
  ) external {
    if (expiry != 0 && block.timestamp > expiry) revert PermitExpired(expiry);
    if (nonce != nonces[holder]) revert WrongNonce(nonce, nonces[holder]);
    nonces[holder] = nonce + 1;
    bytes32 terms = keccak256(abi.encode(PERMIT_TYPEHASH, holder, spender, nonce, expiry, allowed));
    address signer = ecrecover(keccak256(abi.encodePacked('\x19\x01', DOMAIN_SEPARATOR(), terms)), v, r, s);
    if (signer == address(0) || signer != holder) revert PermitNotFromHolder(signer, holder);
    _allow(holder, spender, allowed ? type(uint256).max : 0);
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
