// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// @title Says of permits what it was made with.
contract Claimant {
  string public name;
  bytes32 public DOMAIN_SEPARATOR;
  bytes32 public PERMIT_TYPEHASH;
  mapping(address owner => uint256) public nonces;

  constructor(string memory name_, bytes32 separator, bytes32 permitType) {
    name = name_;
    DOMAIN_SEPARATOR = separator;
    PERMIT_TYPEHASH = permitType;
  }
}

/// @title Signs for another name than its own, and says so (EIP-5267).
contract Renamed {
  string public constant name = 'New name';
  mapping(address owner => uint256) public nonces;

  bytes32 private constant DOMAIN_TYPEHASH =
    keccak256('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)');

  function eip712Domain()
    external
    view
    returns (bytes1, string memory, string memory, uint256, address, bytes32, uint256[] memory)
  {
    return (hex'0f', 'Old name', '7', block.chainid, address(this), bytes32(0), new uint256[](0));
  }

  function DOMAIN_SEPARATOR() external view returns (bytes32) {
    return
      keccak256(
        abi.encode(DOMAIN_TYPEHASH, keccak256('Old name'), keccak256('7'), block.chainid, address(this))
      );
  }
}
