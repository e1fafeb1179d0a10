// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// @title What the registry of EIP-137 answers, open to whoever writes into it.
contract NameRegistry {
  struct Record {
    address owner;
    address resolver;
  }

  mapping(bytes32 node => Record) private records;

  function setRecord(bytes32 node, address owner_, address resolver_) external {
    records[node] = Record(owner_, resolver_);
  }

  function owner(bytes32 node) external view returns (address) {
    return records[node].owner;
  }

  function resolver(bytes32 node) external view returns (address) {
    return records[node].resolver;
  }
}

/// @title A resolver with its answers on the chain.
contract NameResolver {
  mapping(bytes32 node => address) public addr;

  function setAddr(bytes32 node, address who) external {
    addr[node] = who;
  }
}

/// @title A resolver whose answers are elsewhere (EIP-3668).
contract OffchainResolver {
  error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extraData);

  function addr(bytes32) external view returns (address) {
    lookUp(this.addr.selector);
  }

  function lookUp(bytes4 callback) internal view {
    string[] memory urls = new string[](3);
    urls[0] = 'https://names.example/{sender}/{data}.json';
    urls[1] = 'https://names.example/other';
    urls[2] = 'https://user@spare.example:8443/{data}';
    revert OffchainLookup(address(this), urls, msg.data, callback, '');
  }
}

/// @title A resolver for all names below its own, whose answers are elsewhere.
contract OffchainWildcardResolver is OffchainResolver {
  function supportsInterface(bytes4 id) external pure returns (bool) {
    return id == this.resolve.selector;
  }

  function resolve(bytes calldata, bytes calldata) external view returns (bytes memory) {
    lookUp(this.resolve.selector);
  }
}

/// @title A resolver that answers by ENSIP-10 alone, for its own name and all below.
contract WildcardResolver {
  mapping(bytes32 wire => address) private addresses;

  error Unknown(bytes name);

  function setAddr(bytes calldata wire, address who) external {
    addresses[keccak256(wire)] = who;
  }

  function supportsInterface(bytes4 id) external pure returns (bool) {
    return id == this.resolve.selector || id == 0x01ffc9a7;
  }

  function resolve(bytes calldata wire, bytes calldata data) external view returns (bytes memory) {
    require(bytes4(data) == 0x3b3b57de && bytes32(data[4:]) == namehash(wire, 0), 'another question');
    address who = addresses[keccak256(wire)];
    if (who == address(0)) revert Unknown(wire);
    return abi.encode(who);
  }

  function namehash(bytes calldata wire, uint256 at) private pure returns (bytes32) {
    uint256 length = uint8(wire[at]);
    if (length == 0) return bytes32(0);
    uint256 end = at + 1 + length;
    return keccak256(abi.encodePacked(namehash(wire, end), keccak256(wire[at + 1:end])));
  }
}

/// @title A resolver that knows no addresses at all.
contract TextResolver {
  function text(bytes32, string calldata) external pure returns (string memory) {
    return 'text';
  }
}
